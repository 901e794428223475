import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The modules of the page's script, each one after the modules that it imports. */
export const modules = [
  "build",
  "data",
  "route",
  "model",
  "filter",
  "theme",
  "cell",
  "rules",
  "lines",
  "heat",
  "schema",
  "excerpt",
  "form",
  "results",
  "live",
  "command-box",
  "curl",
  "ladder",
  "vector",
  "main",
] as const;

/** The script as one text, for a page that cannot load anything: the modules without their imports and exports. */
export function readScript(): string {
  const texts = modules.map((name) =>
    file(`${name}.js`)
      .replace(/^import [^;]*;\n/gm, "")
      .replace(/^export /gm, ""),
  );
  return `"use strict";\n${texts.join("\n")}`;
}

export function readStyle(): string {
  return ["base", "views", "matrix", "narrow"].map((name) => file(`${name}.css`)).join("");
}

/** Returns the hash that allows an inline text in a content security policy. */
export function sourceHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function file(name: string): string {
  return readFileSync(new URL(`client/${name}`, import.meta.url), "utf8");
}
