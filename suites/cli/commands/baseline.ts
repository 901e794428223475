import { Argument } from "commander";
import { example, type Report, TouchstoneError } from "../../../schemas/index.ts";
import { type AdditionOptions, additionOf, withAddition } from "../addition.ts";
import type { CliCommand } from "../command.ts";
import { program } from "../program.ts";

const help = `
A baseline lists failures that are known and left for now, each with its reason. With it a run fails on what is new, on an entry
that passes by now, and on one that expired, is there twice, or names nothing.

Examples:
  touchstone run ${example.protocol} --module validator.mjs --report json=report.json      a report of everything
  touchstone baseline update known.json report.json --reason "until 2.0"    writes the list, or adds what is new
  touchstone baseline update known.json report.json                         takes out what no longer holds
  touchstone baseline check known.json report.json                          holds the report against the list

Flags that may differ from entry to entry stand in the file: "flaky", "owner", "expires". An entry names a vector by "id", or
all vectors of a "rule", and the outcome that is known.`;

export const baseline: CliCommand = {
  define(command) {
    withAddition(
      command
        .addArgument(
          new Argument("<action>", "hold the report against the list, or make the list fit").choices([
            "check",
            "update",
          ]),
        )
        .argument("<file>", "the list, JSON")
        .argument("<report>", "what a whole run has written with --report json=FILE or jsonl=FILE"),
    ).addHelpText("after", help);
  },
  async run([action = "", file = "", from = ""], given) {
    const isUpdate = action === "update";
    const addition = additionOf(given as AdditionOptions);
    if (!isUpdate && addition !== undefined)
      throw new TouchstoneError("usage", "--reason goes only with update", { hint: "check writes nothing" });
    const report = await reportIn(from);
    const { listIn, rewrite, today } = await import("../gate.ts");
    const { gated } = await import("../../baseline/index.ts");
    const { quote } = await import("../../results/command-line.ts");
    const list = await listIn(file, isUpdate);
    const { protocolsIn } = await import("../packs.ts");
    const rules = (await protocolsIn([report])).flatMap((protocol) => protocol.rules);
    const repair = `${program()} baseline update ${quote(file)} ${quote(from)}`;
    const ground = { list, file, today: today(), rules, repair };
    const held = gated(report, isUpdate ? { ...ground, list: rewrite(report, ground, addition) } : ground);
    const { terminal } = await import("../../reports/terminal.ts");
    process.stdout.write(
      terminal.render(held, { rules, brief: isUpdate, colour: process.stdout.isTTY && process.stdout.hasColors() }),
    );
    return held.exitCode;
  },
};

async function reportIn(file: string): Promise<Report> {
  const { existsSync, readFileSync } = await import("node:fs");
  if (!existsSync(file)) {
    throw new TouchstoneError("usage", "there is no such report", {
      where: file,
      hint: "a run writes it with --report json=FILE",
    });
  }
  const { readReport } = await import("../../reports/read.ts");
  return readReport(readFileSync(file, "utf8"), file);
}
