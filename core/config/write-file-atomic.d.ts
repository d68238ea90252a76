declare module "write-file-atomic" {
  /** Writes beside the file, then renames over it. Follows a link to the file it leads to. */
  export default function writeFileAtomic(path: string, data: string, options?: { mode?: number }): Promise<void>;
}
