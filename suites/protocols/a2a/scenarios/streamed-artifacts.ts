import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { listIn } from "./party.ts";
import { getTask, stateOf, terminalStates } from "./recipes.ts";
import type { InterfaceVisit, StreamReader } from "./visit.ts";

/** An artifact, assembled from its updates. */
interface StreamedArtifact {
  parts: JsonObject[];
  isLast: boolean;
}

/** Assembles the artifacts from the updates of a stream, and finds faults in the updates. */
function foldUpdates(
  visit: InterfaceVisit,
  { items }: StreamReader,
  task: JsonObject,
): { artifacts: Map<string, StreamedArtifact>; hasFaults: boolean } {
  const artifacts = new Map<string, StreamedArtifact>();
  for (const artifact of listIn(task.artifacts).filter(isObject))
    artifacts.set(String(artifact.artifactId), { parts: listIn(artifact.parts).filter(isObject), isLast: false });
  let hasFaults = false;
  for (const { response } of items) {
    const update = response?.artifactUpdate;
    if (!isObject(update) || !isObject(update.artifact)) continue;
    const id = String(update.artifact.artifactId);
    const earlier = artifacts.get(id);
    const isNew = earlier === undefined;
    visit.expect("A2A-ART-004", earlier?.isLast !== true, `the artifact ${id} continues after its last chunk`);
    if (update.append === true)
      visit.expect("A2A-ART-005", !isNew, `a chunk is appended to the artifact ${id}, which was not sent before`);
    hasFaults ||= earlier?.isLast === true || (update.append === true && isNew);
    const parts = listIn(update.artifact.parts).filter(isObject);
    artifacts.set(id, {
      parts: update.append === true ? [...(earlier?.parts ?? []), ...parts] : parts,
      isLast: update.lastChunk === true,
    });
  }
  return { artifacts, hasFaults };
}

/** Compares the artifacts of a whole stream, which ended with a state, with those of the task that the agent keeps. */
export async function checkArtifacts(
  visit: InterfaceVisit,
  stream: StreamReader,
  task: JsonObject,
  lastState: string | undefined,
): Promise<void> {
  const storedTask = await getTask(visit, task.id as Json);
  const isSame = lastState === stateOf(storedTask) || !terminalStates.includes(lastState ?? "");
  visit.expect(
    "A2A-STREAM-009",
    isSame,
    `the last state of a stream is ${lastState}, and that of the task ${stateOf(storedTask)}`,
  );
  const { artifacts, hasFaults } = foldUpdates(visit, stream, task);
  if (!terminalStates.includes(lastState ?? "")) return;
  const storedArtifacts = listIn(storedTask.artifacts).filter(isObject);
  const names = storedArtifacts.map(({ artifactId }) => String(artifactId));
  const hasSameArtifacts = isDeepStrictEqual([...names].sort(), [...artifacts.keys()].sort());
  const level = hasFaults ? "SHOULD" : "MUST";
  visit.expect(
    "A2A-ART-003",
    hasSameArtifacts,
    `the artifacts of a stream are ${[...artifacts.keys()].join(", ")}, and those of the task ${names.join(", ")}`,
    level,
  );
  for (const { artifactId, parts } of storedArtifacts) {
    const streamedArtifact = artifacts.get(String(artifactId));
    if (streamedArtifact === undefined) continue;
    const hasSameContent = isDeepStrictEqual(
      contentOf(listIn(parts).filter(isObject)),
      contentOf(streamedArtifact.parts),
    );
    visit.expect(
      "A2A-ART-003",
      hasSameContent,
      `the artifact ${artifactId} of the stream differs from the artifact of the task`,
      level,
    );
  }
}

/** Returns the content of parts: their texts joined, followed by the contents of all other parts. */
function contentOf(parts: readonly JsonObject[]): Json[] {
  const text = parts.map((part) => (typeof part.text === "string" ? part.text : "")).join("");
  const otherParts = parts.flatMap(({ raw, url, data }) => {
    const content = raw === undefined ? (url ?? data) : Buffer.from(String(raw), "base64").toString("hex");
    return content === undefined ? [] : [content];
  });
  return [text, ...otherParts];
}
