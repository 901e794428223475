import { nearestName, type Protocol, type Vector } from "../../../schemas/index.ts";
import { complainAt, type SetComplaint } from "./complaint.ts";
import type { ListedFile } from "./file.ts";

/** Checks that ids are unique and say where the vector belongs, and that documents and rules are the protocol's. `ids` has the place where each id was first seen. */
export function nameComplaints(
  protocol: Protocol | undefined,
  files: readonly ListedFile[],
  ids: Map<string, string>,
): SetComplaint[] {
  const rules = protocol?.rules.map(({ id }) => id) ?? [];
  const documents = protocol?.profile.documents.map(({ name }) => name) ?? [];
  return files.flatMap((listedFile) => {
    const { protocol: name, version, document, tests } = listedFile.content;
    const stem = `${name}/${version}/${document}/`;
    const complaints = tests.flatMap((vector, index) => {
      const at = `/tests/${index}`;
      const complainAboutMember = (member: string, problem: string, hint?: string): SetComplaint =>
        complainAt(listedFile, `${at}/${member}`, problem, hint);
      const before = ids.get(vector.id);
      ids.set(vector.id, before ?? `${listedFile.file}#${at}`);
      return [
        ...(before === undefined
          ? []
          : [complainAboutMember("id", `the id ${vector.id} is already used in ${before}`, "give it another name")]),
        ...(vector.id.startsWith(stem) || vector.id.includes("/traces/")
          ? []
          : [complainAboutMember("id", `the id ${vector.id} does not begin with ${stem}`)]),
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
  const named = [
    ...(rule === undefined ? [] : [["rule", rule] as const]),
    ...beyond.map((each, index) => [`beyond/${index}`, each] as const),
  ];
  return named
    .filter(([, each]) => !rules.includes(each))
    .map(([member, each]) =>
      complainAboutMember(
        member,
        `there is no rule ${each}`,
        `${nearestName(each, rules)}touchstone list rules shows all`,
      ),
    );
}
