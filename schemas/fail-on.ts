/** Least level whose breach fails a run. */
export const failLevels = ["must", "should", "may"] as const;
export type FailOn = (typeof failLevels)[number];
