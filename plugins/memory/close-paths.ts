const MOST = 3;

/** The paths that were probably meant: the same but for case, folder or ending. */
export function closePaths(wanted: string, paths: readonly string[]): string[] {
  const stem = stemOf(wanted);
  return paths.filter((path) => stemOf(path) === stem || path.toLowerCase().startsWith(`${wanted.toLowerCase()}/`)).slice(0, MOST);
}

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return name.replace(/(.)\.[^.]*$/, "$1");
}
