// `rule.ts new ID` adds a template of a rule to the file of its family.
import { writeFileSync } from "node:fs";
import { hasFamilies, protocolsNamed, shownPath, TouchstoneError, withNewRule } from "../schemas/index.ts";

const [command, id = ""] = process.argv.slice(2);
try {
  const protocol = protocolsNamed("all").find(({ rules }) => rules[0]?.id.split("-")[0] === id.split("-")[0]);
  if (command !== "new" || protocol === undefined || !hasFamilies(protocol.folder))
    throw new TouchstoneError("usage", `usage: npx tsx scripts/rule.ts new ID, of a protocol with a folder of rules`);
  const prefix = id.replace(/-[0-9]+$/, "");
  const prefixes = [...new Set(protocol.rules.map((rule) => rule.id.replace(/-[0-9]+$/, "")))];
  if (!prefixes.includes(prefix))
    throw new TouchstoneError("usage", `${protocol.name} has no rules ${prefix}`, {
      hint: `it has ${prefixes.join(", ")}`,
    });
  const { file, text, line } = withNewRule(protocol, id);
  writeFileSync(file, text);
  console.log(
    `wrote ${shownPath(file)}:${line}\nFill it in, and then: npm run rules && npm run vectors ${protocol.name}`,
  );
} catch (error) {
  if (!(error instanceof TouchstoneError)) throw error;
  console.error(`✗ ${error.message}`);
  process.exitCode = 2;
}
