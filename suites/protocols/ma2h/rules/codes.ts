import { codes as ahcpCodes } from "../../ahcp/rules/error.ts";

/** The error codes that MA2H adds, by their HTTP status. */
const ma2hCodes: Readonly<Record<number, readonly string[]>> = {
  403: ["session_closed_by_operator"],
  409: ["not_acknowledgeable"],
  410: ["destination_gone", "session_closed_by_operator"],
  422: ["unknown_destination"],
};

/** The error codes of AHCP and MA2H, by their HTTP status. */
export const codes: Readonly<Record<number, readonly string[]>> = Object.fromEntries(
  Object.entries(ahcpCodes).map(([status, codesOfAhcp]) => [
    status,
    [...codesOfAhcp, ...(ma2hCodes[Number(status)] ?? [])],
  ]),
);
