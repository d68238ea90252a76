/** Lets the first of several tell, and the others wait for it. */
export function createToldOnce<T>(): (tell: () => Promise<T>) => Promise<T> {
  let told: Promise<T> | undefined;
  return (tell) => {
    told ??= tell();
    return told;
  };
}
