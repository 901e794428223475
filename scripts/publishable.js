// Refuses to publish a package without a real home page. `--home URL --author NAME` fills in the address of the repository.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { home: { type: "string" }, author: { type: "string" } } });
const file = new URL("../package.json", import.meta.url);
const packageJson = JSON.parse(readFileSync(file, "utf8"));

if (values.home !== undefined) {
  Object.assign(packageJson, addresses(values.home.replace(/\/$|\.git$/g, "")), {
    author: values.author ?? packageJson.author,
  });
  writeFileSync(file, `${JSON.stringify(packageJson, null, 2)}\n`);
}

const complaints = findFaults();
for (const fault of complaints) console.error(`package.json: ${fault}`);
if (complaints.length > 0) {
  console.error(
    "fill in the home: node scripts/publishable.js --home https://github.com/OWNER/touchstone --author NAME",
  );
  process.exitCode = 1;
}

/** The members of package.json that contain the address of the repository. */
function addresses(home) {
  return {
    homepage: `${home}#readme`,
    bugs: { url: `${home}/issues` },
    repository: { type: "git", url: `git+${home}.git` },
  };
}

function findFaults() {
  const [, home = ""] = /^git\+(https:\/\/[^\s?#]+)\.git$/.exec(packageJson.repository?.url ?? "") ?? [];
  if (home === "") return ["repository.url is not git+https://….git"];
  // RFC 2606 reserves these names, so they are never a real address.
  if (/\.(example|invalid|test)$/.test(new URL(home).hostname)) return [`the home is not decided yet: ${home}`];
  const expectedMembers = { ...addresses(home), author: packageJson.author || "a name" };
  return Object.entries(expectedMembers)
    .filter(([name, value]) => JSON.stringify(packageJson[name]) !== JSON.stringify(value))
    .map(([name, value]) => `${name} is ${JSON.stringify(packageJson[name])}, but must be ${JSON.stringify(value)}`);
}
