import { codes as before } from "../../ahcp/rules/error.ts";

const more: Readonly<Record<number, readonly string[]>> = {
  403: ["session_closed_by_operator"],
  409: ["not_acknowledgeable"],
  410: ["destination_gone", "session_closed_by_operator"],
  422: ["unknown_destination"],
};

/** Error codes by the HTTP status that goes with them. */
export const codes: Readonly<Record<number, readonly string[]>> = Object.fromEntries(
  Object.entries(before).map(([status, listed]) => [status, [...listed, ...(more[Number(status)] ?? [])]]),
);
