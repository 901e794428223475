import type { Protocol } from "../../../schemas/index.ts";

/** The next steps with a new pack, made from a description or from schemas: a page in its folder. */
export function renderReadme(
  { name, version, profile }: Protocol,
  program: string,
  description: string | undefined,
): string {
  return `# ${name} ${version}, a pack for Touchstone

| file | content |
|---|---|
| \`schemas/\` | the form of a message |
| \`profile.json\` | the purpose of each schema, and its path; all but \`file\` may be left out |
| \`vectors/**/valid.json\` | messages that must be accepted |
| \`vectors/**/invalid.json\` | messages that must be refused, each with the one fault that it has |
| \`vectors/**/disputed.json\` | messages on which validators differ, with both verdicts: either answer is fine |
| \`vectors/**/raw.json\` | JSON as text (names twice, spellings of numbers, bytes that are not UTF-8), for implementations that parse it |

${description === undefined ? schemaUsage(program, profile.documents[0]?.name ?? name) : descriptionUsage(program, description)}`;
}

function schemaUsage(program: string, document: string): string {
  return `Run them against an implementation, in this folder:

    ${program} run . --module validator.mjs
    ${program} run . --http http://127.0.0.1:8080 --endpoint ${document}=/path
    ${program} run . --command "python3 adapter.py"

The path may be in \`profile.json\` instead, beside the file: \`"endpoint": "/path"\`.

After a change of the schemas, or with rules of your own in \`rules/*.yaml\`:

    ${program} generate .
`;
}

/** The description has the paths, and this page is made from it. */
function descriptionUsage(program: string, description: string): string {
  return `Run them against the server, in this folder, at the URL under which the paths of \`${description}\` are:

    ${program} run . --http http://127.0.0.1:8080

After a change of \`${description}\`, in the folder where it is; PACK is this folder, and your additions to its \`profile.json\` stay:

    ${program} generate ${description} --out PACK
`;
}
