/** Milliseconds that one thing which a scenario has opened may take to close. */
const mostEach = 5000;

/**
 * Closes what a scenario has opened, the last first. What fails or hangs is left as it is: what the scenario has found stands, whatever its end was
 * like.
 */
export async function closeAll(open: (() => Promise<void> | void)[]): Promise<void> {
  for (let last = open.pop(); last !== undefined; last = open.pop()) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, mostEach);
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
