/** The lowest level of a breach that fails a run. */
export const failLevels = ["must", "should", "may"] as const;
export type FailOn = (typeof failLevels)[number];
