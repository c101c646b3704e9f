-- Tokens of each trace, agent and model, by the rules of measures/spending.py. Events that state no tokens are left out.
SELECT digest, trace_id, agent, coalesce(x_model, '') AS model, count(*) AS events,
    sum(coalesce(x_tokens, coalesce(x_tokens_input, 0) + coalesce(x_tokens_cached, 0)
        + coalesce(x_tokens_cache_write, 0) + coalesce(x_tokens_output, 0))) AS tokens,
    sum(x_tokens_input) AS tokens_input,
    sum(x_tokens_cached) AS tokens_cached,
    sum(x_tokens_cache_write) AS tokens_cache_write,
    sum(x_tokens_output) AS tokens_output,
    sum(x_tokens_reasoning) AS tokens_reasoning
FROM events
WHERE coalesce(x_tokens, x_tokens_input, x_tokens_cached, x_tokens_cache_write, x_tokens_output,
    x_tokens_reasoning) IS NOT NULL
GROUP BY ALL
