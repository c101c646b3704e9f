"""The task of the lead, with its tool, which verifiers serves in a process of its own."""

import verifiers.v1 as vf


class Tools(vf.Toolset[vf.ToolsetConfig]):
    TOOL_PREFIX = "team"

    @vf.tool
    def lookup(self, key: str) -> str:
        """Look up."""
        return f"what {key} is"


class Settings(vf.TaskConfig):
    tools: vf.ToolsetConfig = vf.ToolsetConfig()


class Task(vf.Task[vf.TaskData, vf.State, Settings]):
    @classmethod
    def toolsets(cls, config):
        return [Tools(config.tools)]

    @vf.reward(weight=1.0)
    async def done(self, trace: vf.Trace) -> float:
        return 1.0


class Config(vf.TasksetConfig):
    task: Settings = Settings()


class Taskset(vf.Taskset[Task, Config]):
    def load(self):
        return [Task(vf.TaskData(prompt="You are lead. Find a fact."), self.config.task)]


__all__ = ["Taskset"]

if __name__ == "__main__":
    Tools.run()
