import { nearestName, type Protocol, type Vector } from "../../../schemas/index.ts";
import { complainAt, type SetComplaint } from "./complaint.ts";
import type { ListedFile } from "./file.ts";

/** Checks that ids are unique and begin with protocol, version and document, and that the protocol has the named documents and rules. `ids` maps each id to the place of its first use. */
export function checkNames(
  protocol: Protocol | undefined,
  files: readonly ListedFile[],
  ids: Map<string, string>,
): SetComplaint[] {
  const rules = protocol?.rules.map(({ id }) => id) ?? [];
  const documents = protocol?.profile.documents.map(({ name }) => name) ?? [];
  return files.flatMap((listedFile) => {
    const { protocol: name, version, document, tests } = listedFile.content;
    const prefix = `${name}/${version}/${document}/`;
    const complaints = tests.flatMap((vector, index) => {
      const testPointer = `/tests/${index}`;
      const complainAboutMember = (member: string, problem: string, hint?: string): SetComplaint =>
        complainAt(listedFile, `${testPointer}/${member}`, problem, hint);
      const firstPlace = ids.get(vector.id);
      ids.set(vector.id, firstPlace ?? `${listedFile.file}#${testPointer}`);
      return [
        ...(firstPlace === undefined
          ? []
          : [
              complainAboutMember("id", `the id ${vector.id} is already used in ${firstPlace}`, "give it another name"),
            ]),
        ...(vector.id.startsWith(prefix) || vector.id.includes("/traces/")
          ? []
          : [complainAboutMember("id", `the id ${vector.id} does not begin with ${prefix}`)]),
        ...(rules.length === 0 ? [] : unknownRules(vector, rules, complainAboutMember)),
      ];
    });
    if (protocol === undefined || documents.includes(document)) return complaints;
    return [
      complainAt(
        listedFile,
        "/document",
        `${name} has no document "${document}"`,
        `${nearestName(document, documents)}its documents: ${documents.join(", ")}`,
      ),
      ...complaints,
    ];
  });
}

function unknownRules(
  { rule, beyond = [] }: Vector,
  rules: readonly string[],
  complainAboutMember: (member: string, what: string, hint?: string) => SetComplaint,
): SetComplaint[] {
  const ruleMembers = [
    ...(rule === undefined ? [] : [["rule", rule] as const]),
    ...beyond.map((ruleId, index) => [`beyond/${index}`, ruleId] as const),
  ];
  return ruleMembers
    .filter(([, ruleId]) => !rules.includes(ruleId))
    .map(([member, ruleId]) =>
      complainAboutMember(
        member,
        `there is no rule ${ruleId}`,
        `${nearestName(ruleId, rules)}touchstone list rules shows all`,
      ),
    );
}
