/** The cookies and redirects of a browser that signs in to the Errata at `site`. */
export class Browser {
  readonly #site: string;
  readonly #cookies = new Map<string, Map<string, string>>();

  constructor(site: string) {
    this.#site = site;
  }

  async go(url: string, form?: string): Promise<Response> {
    const { host } = new URL(url);
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams({ account: form }) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Follows redirects up to the first other response, or up to the return URL of Errata, which it does not request. */
  async follow(response: Response): Promise<string> {
    const next = new URL(response.headers.get('location') ?? '', response.url).href;
    if (next.startsWith(this.#site)) return next;
    const arrived = await this.go(next);
    return arrived.status >= 300 && arrived.status < 400 ? this.follow(arrived) : next;
  }

  /** Signs in at the provider. Returns the return URL with the provider's response. */
  async signInAtProvider(account: string, to = '/console/e/7K3M-9QXD'): Promise<string> {
    const start = `${this.#site}/console/api/oidc/start?to=${encodeURIComponent(to)}`;
    const form = await this.follow(await this.go(start));
    return this.follow(await this.go(form, account));
  }

  cookie(): string {
    return [...(this.#cookies.get(new URL(this.#site).host) ?? [])].map((pair) => pair.join('=')).join('; ');
  }
}
