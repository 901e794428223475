import { existsSync, writeFileSync } from "node:fs";
import { example, protocolNamed, type TargetConfig, TouchstoneError } from "../../../schemas/index.ts";
import type { CliCommand } from "../command.ts";
import { interruptible } from "../interruption.ts";
import { program } from "../program.ts";
import { type TargetOptions, targetOr, withTarget } from "../target.ts";

interface Options extends TargetOptions {
  protocol?: string;
  force?: true;
}

const help = `
Examples:
  touchstone init --protocol ${example.protocol} --module validator.mjs
  touchstone init --protocol ${example.protocol} --command "python3 adapter.py"
  touchstone init --http http://127.0.0.1:8080 --header "Authorization: Bearer $TOKEN"
  touchstone init                         the built-in reference, to see how it works

A few vectors are put to the target first: it is there, and it is found out which protocol it speaks. Nothing but the target is
asked. What is written is YAML with comments; touchstone run then needs no arguments.`;

export const init: CliCommand = {
  define(command) {
    withTarget(command.option("--protocol <name>", "the protocol it speaks (default: found out by asking)"))
      .option("--force", "in the place of a configuration that is there")
      .addHelpText("after", help);
  },
  async run(_args, given) {
    const { protocol: name, force, ...options } = given as Options;
    const { findConfig } = await import("../../config/find.ts");
    const { configFile, variable, written } = await import("../../config/written.ts");
    const there = existsSync(configFile) ? configFile : findConfig(process.cwd());
    if (there !== undefined && force !== true) {
      throw new TouchstoneError("usage", "there is a configuration already", {
        where: there,
        hint: "--force writes another in its place",
      });
    }
    if (there !== undefined && there !== configFile) {
      throw new TouchstoneError("usage", `${configFile} would be the second configuration`, {
        where: there,
        hint: "delete this one first",
      });
    }
    const target: TargetConfig = targetOr({ kind: "reference" }, options);
    const { probe, recognized, unusable } = await import("../../config/probe.ts");
    const known = name ?? (target.kind === "reference" ? example.protocol : undefined);
    const { signal, end } = interruptible();
    const probing = known === undefined ? recognized(target, signal) : probe(protocolNamed(known), target, signal);
    const probed = await probing.finally(end);
    if (signal.aborted) throw new TouchstoneError("target", "interrupted", { hint: "nothing was written" });
    if (probed.failure !== undefined) throw unusable(probed.failure);
    if (probed.answered === 0) {
      throw new TouchstoneError("target", `it gave no usable answer to ${probed.asked} vectors of ${probed.protocol}`, {
        hint: "nothing was written; touchstone run shows more of what it answers",
      });
    }
    writeFileSync(configFile, written(probed.protocol, target));
    const { visible } = await import("../../text/escape.ts");
    const headers = target.kind === "http" ? Object.keys(target.headers ?? {}) : [];
    const lines = [
      `It answers: ${probed.conforms} of ${probed.asked} vectors of ${probed.protocol} conform.`,
      `${configFile} is written. Next:`,
      ...headers.map((header) => `  export ${variable(header)}=…   the header ${header}`),
      `  ${program()} run`,
    ];
    process.stdout.write(`${lines.map((line) => visible(line)).join("\n")}\n`);
    return 0;
  },
};
