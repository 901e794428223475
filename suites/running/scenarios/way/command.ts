import {
  type Channel,
  missingNeeds,
  type ScenarioContext,
  type StreamEnd,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { startProcess } from "../../../targets/command/process.ts";
import { queueFor } from "./queue.ts";

/** The maximum number of characters read from a command. */
const maxOutputLength = 16 * 1024 * 1024;

/** Starts the command of the run, which exchanges lines over stdin and stdout, and ends with the scenario. Skips the scenario if the run has no command. */
export function startCommand(context: ScenarioContext): Channel {
  const { command } = context.setting;
  if (command === undefined)
    throw new TargetSkip("needs a command that starts it (--command)", missingNeeds("command"));
  const queue = queueFor<string>(context);
  let size = 0;
  let end: StreamEnd = "open";
  const overflow = (why: string): void => {
    end = "limit";
    queue.end(new TargetFailure("errored", "read", why));
    child.kill();
  };
  const child = startProcess(command, (line) => {
    if (end !== "open") return;
    if (line === undefined) return overflow("it writes a line without an end");
    size += line.length;
    context.record({ from: "target", to: "touchstone", text: line });
    queue.put(line);
    if (size > maxOutputLength) overflow(`it writes more than ${maxOutputLength} characters`);
    else if (queue.isOver) overflow("it writes without end");
  });
  void child.ended.then((endText) => {
    // A shell exits with 126 or 127 if the program does not exist: then nothing is known about the party.
    if (size === 0 && [undefined, 126, 127].includes(child.exitCode()) && end === "open")
      return queue.end(
        new TargetFailure("errored", "connect", `the command was not started: ${endText}${child.outputTail()}`),
      );
    if (end === "open") end = child.exitCode() === undefined ? "cut" : "closed";
    queue.end();
  });
  context.closing(async () => {
    child.kill();
    await child.ended;
  });
  return {
    tell(text) {
      context.record({ from: "touchstone", to: "target", text });
      child.write(text);
    },
    async next(milliseconds) {
      const next = await queue.next(milliseconds);
      return typeof next === "string" ? next : { item: { data: next.item } };
    },
    ended: () => end,
    code: child.exitCode,
    close: () => child.endInput(),
    cut: () => child.kill(),
  };
}
