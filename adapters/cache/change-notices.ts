import type { ChangeNotice } from '../../application/change-notice.port.ts';

type Kind = Parameters<ChangeNotice['changed']>[0];

/** Carries word of a change from the use case that made it to the caches of this process. */
export class ChangeNotices implements ChangeNotice {
  private readonly listeners = new Map<Kind, (() => void)[]>();

  on(kind: Kind, listener: () => void): void {
    this.listeners.set(kind, [...(this.listeners.get(kind) ?? []), listener]);
  }

  changed(kind: Kind): void {
    for (const listener of this.listeners.get(kind) ?? []) listener();
  }
}
