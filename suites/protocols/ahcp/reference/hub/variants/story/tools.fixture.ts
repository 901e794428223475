import type { Json, JsonObject } from "../../../../../../../schemas/index.ts";
import type { RunningHub } from "../../hub.ts";

export type Call = (method: string, path: string, as?: string, body?: Json | string) => Promise<Told>;
export interface Told {
  status: number;
  type: string | null;
  retry: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
  body: any;
}

/** The operations of a chapter on a hub, and its report. */
export interface Tools {
  hub: RunningHub;
  tell(what: string, ...all: unknown[]): void;
  call: Call;
  operate(name: string, given?: JsonObject): Promise<JsonObject>;
  resolve(id: string, resolution: string, more?: JsonObject): Promise<JsonObject>;
  submit(body: Json, as?: string): Promise<Told>;
  read(id: string, query?: string, as?: string): Promise<Told>;
  cancel(id: string, as?: string): Promise<Told>;
  taken(body: Json, as?: string): Promise<string>;
  clock(given: JsonObject): Promise<JsonObject>;
  by(id: string, run?: string): JsonObject;
}

export const rest = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const form = { type: "object", properties: { note: { type: "string" } }, required: ["note"] };
export const confirm: { mode: string; options: never } = { mode: "confirm", options: undefined as never };
export const input: { mode: string; options: never; schema: JsonObject } = {
  mode: "input",
  options: undefined as never,
  schema: form,
};
