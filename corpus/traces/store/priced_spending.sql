-- Spending with its price, by the rules of measures/prices.py; it is null where any tokens have none.
WITH sums AS ({sums}),
of_model AS (
    SELECT model AS priced_model,
        max(price) FILTER (kind = 'input') AS price_input,
        max(price) FILTER (kind = 'cached') AS price_cached,
        max(price) FILTER (kind = 'cache_write') AS price_cache_write,
        max(price) FILTER (kind = 'output') AS price_output,
        max(price) FILTER (kind = 'reasoning') AS price_reasoning
    FROM prices GROUP BY model
),
billed AS (
    SELECT sums.*, of_model.* EXCLUDE (priced_model),
        coalesce(tokens_input, 0) AS input,
        coalesce(tokens_cached, 0) AS cached,
        coalesce(tokens_cache_write, 0) AS cache_write,
        coalesce(tokens_output, 0) AS all_output,
        -- Reasoning is output, and is priced apart only where the model has a price for it.
        CASE WHEN price_reasoning IS NOT NULL AND tokens_reasoning > 0 AND tokens_reasoning <= all_output
            THEN tokens_reasoning ELSE 0 END AS reasoning,
        all_output - reasoning AS output,
        -- Tokens of no stated kind, and of kinds without a price.
        greatest(tokens - (input + cached + cache_write + all_output), 0)
            + CASE WHEN price_input IS NULL THEN input ELSE 0 END
            + CASE WHEN price_cached IS NULL THEN cached ELSE 0 END
            + CASE WHEN price_cache_write IS NULL THEN cache_write ELSE 0 END
            + CASE WHEN price_output IS NULL THEN output ELSE 0 END AS unpriced
    FROM sums LEFT JOIN of_model ON model = priced_model
)
SELECT digest, trace_id, agent, model, events, tokens, tokens_input, tokens_cached, tokens_cache_write,
    tokens_output, tokens_reasoning,
    CASE WHEN unpriced = 0 THEN (input * coalesce(price_input, 0) + cached * coalesce(price_cached, 0)
        + cache_write * coalesce(price_cache_write, 0) + output * coalesce(price_output, 0)
        + reasoning * coalesce(price_reasoning, 0)) / 1000000 END AS price,
    unpriced AS unpriced_tokens
FROM billed
