import type { Json, JsonObject } from "../../../../../../../schemas/index.ts";
import type { RunningHub } from "../../hub.ts";

export type Call = (method: string, path: string, as?: string, body?: Json | string) => Promise<CallAnswer>;
export interface CallAnswer {
  status: number;
  type: string | null;
  retry: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
  body: any;
}

/** The means of a section of the behaviour report: requests to the hub; `report` adds a line. */
export interface ReportTools {
  hub: RunningHub;
  report(label: string, ...answers: unknown[]): void;
  call: Call;
  operate(name: string, given?: JsonObject): Promise<JsonObject>;
  resolve(id: string, resolution: string, members?: JsonObject): Promise<JsonObject>;
  submit(body: Json, as?: string): Promise<CallAnswer>;
  read(id: string, query?: string, as?: string): Promise<CallAnswer>;
  cancel(id: string, as?: string): Promise<CallAnswer>;
  accept(body: Json, as?: string): Promise<string>;
  clock(given: JsonObject): Promise<JsonObject>;
  by(id: string, run?: string): JsonObject;
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const form = { type: "object", properties: { note: { type: "string" } }, required: ["note"] };
/** Members of asks without options: JSON leaves out a member that is undefined, so `options` of a spread ask is removed. */
export const confirmRequest: { mode: string; options: never } = { mode: "confirm", options: undefined as never };
export const inputRequest: { mode: string; options: never; schema: JsonObject } = {
  mode: "input",
  options: undefined as never,
  schema: form,
};
