export type Net = {
  /**
   * Follows redirects within the grant. 30 s and 5 MB unless said, 120 s and 16 MB at most; private addresses only as the user allows.
   * A rule that denies the running tool a URL stands against every hop.
   */
  fetch(url: string, request?: FetchRequest): Promise<FetchResponse>;
};

export type FetchRequest = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  timeoutMs?: number;
  maxBytes?: number;
  /** `permitted` follows a redirect only where rules allow the running tool to go, or to the origin that a person approved; else it is the answer. `follow` unless said. */
  redirects?: "follow" | "permitted";
};

export type FetchResponse = {
  status: number;
  url: string;
  headers: Record<string, string>;
  text: string;
  /** Of the body, unpacked, as far as it was read. */
  bytes: number;
  truncated: boolean;
  /** Where it redirects to, where that was not followed. */
  redirect?: string;
};
