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

/** Functions for one section of the behaviour report. `report` adds a line; the others send requests to the hub. */
export interface ReportTools {
  hub: RunningHub;
  report(label: string, ...answers: unknown[]): void;
  call: Call;
  operate(name: string, input?: JsonObject): Promise<JsonObject>;
  resolve(id: string, resolution: string, members?: JsonObject): Promise<JsonObject>;
  submit(body: Json, as?: string): Promise<CallAnswer>;
  read(id: string, query?: string, as?: string): Promise<CallAnswer>;
  cancel(id: string, as?: string): Promise<CallAnswer>;
  accept(body: Json, as?: string): Promise<string>;
  clock(input: JsonObject): Promise<JsonObject>;
  by(id: string, run?: string): JsonObject;
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const form = { type: "object", properties: { note: { type: "string" } }, required: ["note"] };
/** Requests without options: spread over an ask, `undefined` removes its `options`, because JSON omits undefined members. */
export const confirmRequest: { mode: string; options: never } = { mode: "confirm", options: undefined as never };
export const inputRequest: { mode: string; options: never; schema: JsonObject } = {
  mode: "input",
  options: undefined as never,
  schema: form,
};
