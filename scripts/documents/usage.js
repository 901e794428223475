// Loaded before a program: when it ends, it says on its last line what it took.
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  const seconds = (user + system) / 1e6;
  const mebibytes = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stderr.write(`\n${JSON.stringify({ seconds, mebibytes })}\n`);
});
