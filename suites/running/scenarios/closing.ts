/** The time limit in milliseconds for closing one thing that a scenario has opened. */
const maxClosingMs = 5000;

/**
 * Closes the connections and servers of a scenario, the last first. A close that fails or hangs is left: the findings of the scenario stay, however it ended
 * like.
 */
export async function closeAll(open: (() => Promise<void> | void)[]): Promise<void> {
  for (let last = open.pop(); last !== undefined; last = open.pop()) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxClosingMs);
    });
    try {
      await Promise.race([last(), late]);
    } catch {
      // See above.
    } finally {
      clearTimeout(timer);
    }
  }
}
