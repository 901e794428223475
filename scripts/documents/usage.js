// Loaded before a program: its clock is that of the processor, so that a deadline gives the same work on a loaded machine, and when it ends, it says on its last line what it took.
const used = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
performance.now = used;
process.on("exit", () => {
  const mebibytes = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stderr.write(`\n${JSON.stringify({ seconds: used() / 1000, mebibytes })}\n`);
});
