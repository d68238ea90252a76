// Imported first by every entry point. Plain JavaScript without new syntax, so that any Node can run it.
const need = 24;
if (Number(process.versions.node.split(".")[0]) < need) {
  process.stderr.write(
    `Mortise needs Node ${need} or newer, and this is Node ${process.versions.node}. Start it with \`npm run\`, which finds the Node it brings along, or install a newer one.\n`,
  );
  process.exit(2);
}
