"""TRL takes our rows, trains a step on them, and masks what the model did not write."""

import json

import pytest
from datasets import load_dataset
from tiny import corpus, expected_mask, ids, tiny_model
from trl import (
    DPOConfig,
    DPOTrainer,
    GRPOConfig,
    GRPOTrainer,
    KTOConfig,
    KTOTrainer,
    SFTConfig,
    SFTTrainer,
)


@pytest.fixture
def settings(tmp_path):
    """What all trainers are told: one step on the processor."""
    return {
        "output_dir": str(tmp_path / "out"),
        "max_steps": 1,
        "per_device_train_batch_size": 2,
        "report_to": "none",
        "use_cpu": True,
        "bf16": False,
        "gradient_checkpointing": False,
        "save_strategy": "no",
    }


def labels_of(trainer):
    batch = trainer.data_collator(
        [trainer.train_dataset[n] for n in range(len(trainer.train_dataset))]
    )
    found = []
    for tokens, labels, attention in zip(
        batch["input_ids"], batch["labels"], batch["attention_mask"], strict=True
    ):
        kept = attention.bool()
        found.append((tokens[kept].tolist(), (labels[kept] != -100).int().tolist()))
    return found


def test_conversations_train_what_the_model_wrote(rows, model, tokenizer, settings):
    written, path = rows("--to", "trl")
    dataset = load_dataset("json", data_files=path, split="train")
    arguments = SFTConfig(assistant_only_loss=True, **settings)
    trainer = SFTTrainer(model, arguments, train_dataset=dataset, processing_class=tokenizer)
    for row, (tokens, mask) in zip(written, labels_of(trainer), strict=True):
        assert tokens == ids(tokenizer, row["messages"], row["tools"])
        assert mask == expected_mask(tokenizer, row["messages"], row["tools"])
    assert trainer.train().training_loss > 0


def test_arguments_and_tools_of_other_rows_are_not_mixed_in(
    tokenizer, model, tmp_path, rows, settings
):
    """Tables of one type give each row the keys of all; the model must not see them."""
    rows("--to", "trl")
    lines = (tmp_path / "rollouts.jsonl").read_text().splitlines()
    second = json.loads(lines[1])
    second["responses_create_params"]["tools"][0]["parameters"] = {
        "type": "object",
        "properties": {"y": {"type": "string"}},
    }
    second["response"]["output"][0]["arguments"] = json.dumps({"y": "z"})
    (tmp_path / "rollouts.jsonl").write_text("\n".join([lines[0], json.dumps(second)]))
    runs, texts, out = (tmp_path / name for name in ("r.jsonl", "t.jsonl", "o.jsonl"))
    corpus("convert", tmp_path / "rollouts.jsonl", "-o", runs, "--contents", texts)
    corpus("convert", runs, "--contents", texts, "--to", "trl", "-o", out)
    dataset = load_dataset("json", data_files=str(out), split="train")
    trainer = SFTTrainer(
        model,
        SFTConfig(assistant_only_loss=True, **settings),
        train_dataset=dataset,
        processing_class=tokenizer,
    )
    written = [json.loads(line) for line in out.read_text().splitlines()]
    for row, (tokens, _) in zip(written, labels_of(trainer), strict=True):
        assert tokens == ids(tokenizer, row["messages"], row["tools"])


def test_of_two_models_each_is_trained_on_its_own_answers(
    rows, model, tokenizer, settings, tmp_path
):
    rows("--to", "trl")
    traces = [json.loads(line) for line in (tmp_path / "runs.jsonl").read_text().splitlines()]
    steps = [event for event in traces[0]["events"] if event.get("x_steps")]
    steps[0]["x_model"], steps[1]["x_model"] = "first", "second"
    (tmp_path / "runs.jsonl").write_text(json.dumps(traces[0]))
    written, path = rows("--to", "trl")
    assert [row["model"] for row in written] == ["first", "second"]
    dataset = load_dataset("json", data_files=path, split="train")
    trainer = SFTTrainer(
        model,
        SFTConfig(assistant_only_loss=True, **settings),
        train_dataset=dataset,
        processing_class=tokenizer,
    )
    for row, (tokens, mask) in zip(written, labels_of(trainer), strict=True):
        before = len(ids(tokenizer, row["prompt"], row["tools"], add_generation_prompt=True))
        own = expected_mask(tokenizer, row["prompt"] + row["completion"], row["tools"])
        assert mask == [0] * before + own[before : len(tokens)]
        assert sum(mask)
    assert trainer.train().training_loss > 0


@pytest.mark.parametrize(("trainer", "config"), [(DPOTrainer, DPOConfig), (KTOTrainer, KTOConfig)])
def test_pairs_are_one_answer_each(rows, model, tokenizer, settings, trainer, config):
    written, path = rows("--to", "trl", "--for", "preference")
    (row,) = written
    assert [one["content"] for one in (*row["chosen"], *row["rejected"])] == [
        "It is 7.",
        "It is 8.",
    ]
    dataset = load_dataset("json", data_files=path, split="train")
    arguments = {
        "args": config(**settings),
        "train_dataset": dataset,
        "processing_class": tokenizer,
    }
    found = trainer(model, tiny_model(tokenizer), **arguments)
    assert found.train().training_loss > 0


def test_prepared_rollouts_train_by_grpo(rows, model, tokenizer, settings):
    """What was recorded takes the place of generation: tokens, log probabilities, and the mask of what tools wrote."""
    episodes, _ = rows("--to", "verifiers")
    rollouts, rewards = [], []
    for episode in episodes:
        (trace,) = episode["traces"]
        tokens, mask, logprobs = [], [], []
        for node in trace["nodes"]:
            tokens += node.get("token_ids", [])
            own = iter(node.get("logprobs", []))
            mask += node.get("mask", [])
            logprobs += [next(own) if is_own else 0.0 for is_own in node.get("mask", [])]
        begin = mask.index(True)
        rollouts.append(
            (tokens[:begin], tokens[begin:], logprobs[begin:], [int(one) for one in mask[begin:]])
        )
        rewards.append(trace["rewards"]["reward"]["score"])

    def replay(prompts, trainer):
        prompt, completion, logprobs, mask = map(list, zip(*rollouts, strict=True))
        return {
            "prompt_ids": prompt,
            "completion_ids": completion,
            "logprobs": logprobs,
            "env_mask": mask,
            "score": rewards,
        }

    def graded(score, **_):
        return list(score)

    dataset = load_dataset("json", data_files={"train": rows("--to", "trl")[1]}, split="train")
    dataset = (
        dataset.map(lambda row: {"prompt": row["messages"][:2]})
        .select_columns(["prompt"])
        .select([0])
    )
    arguments = GRPOConfig(num_generations=2, max_completion_length=64, **settings)
    trainer = GRPOTrainer(
        model,
        graded,
        arguments,
        train_dataset=dataset,
        processing_class=tokenizer,
        rollout_func=replay,
    )
    trainer.train()
    assert trainer.state.log_history[0]["reward"] == 0.5
