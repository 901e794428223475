import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type Document,
  digestOf,
  type Manifest,
  type Protocol,
  sealManifest,
  type Vector,
} from "../../../schemas/index.ts";

/** For tests: a vector with these members. */
export function vector(members: Partial<Vector> & { id: string }): Vector {
  const faultMembers = members.valid === false ? { at: "/title", fault: "too-short" } : {};
  return {
    description: "a title of some length",
    ...(members.readings === undefined ? { valid: true } : {}),
    ...(members.raw === undefined && members.base64 === undefined ? { data: { title: "" } } : {}),
    ...faultMembers,
    needs: [],
    tags: [],
    ...members,
  };
}

/** For tests: a protocol with one document, `note`. */
export function sampleProtocol(name = "sample"): Protocol {
  const document: Document = {
    name: "note",
    title: "Note",
    schema: "https://example.org/note",
    file: "note.schema.json",
    standalone: true,
    role: "entry",
  };
  return {
    name,
    version: "1.0",
    folder: "",
    profile: {
      $schema: "",
      protocol: name,
      version: "1.0",
      title: "Sample",
      summary: "",
      formats: "assert",
      documents: [document],
      http: { accepted: [{ status: [200] }], rejected: [{ status: [400] }] },
    },
    rules: [],
    schemas: [{ $id: document.schema }],
  };
}

/** For tests: writes a vector set into a new temporary folder, and returns the folder. */
export function writeSet(files: { path: string; document: string; tests: Vector[] }[]): string {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const entries = files.map(({ path, document, tests }): Manifest["files"][number] => {
    const [protocol = "", version = ""] = path.split("/");
    const text = JSON.stringify({ description: "", protocol, version, document, count: tests.length, tests });
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return { path, protocol, version, document, kind: "valid", count: tests.length, digest: digestOf(text) };
  });
  const manifest = sealManifest({
    $schema: "",
    name: "sample",
    version: "1.0.0",
    generator: { name: "hand", version: "1", seed: 0 },
    digest: "",
    count: entries.reduce((total, { count }) => total + count, 0),
    files: entries,
    documents: [],
  });
  writeFileSync(join(folder, "MANIFEST.json"), JSON.stringify(manifest));
  return folder;
}
