import type { ChangeNotice } from '../../application/ports/change-notice.port.ts';

type Kind = Parameters<ChangeNotice['changed']>[0];

/** Tells the caches of this process about a change that a use case made. */
export class ChangeNotices implements ChangeNotice {
  private readonly listeners = new Map<Kind, (() => void)[]>();

  on(kind: Kind, listener: () => void): void {
    this.listeners.set(kind, [...(this.listeners.get(kind) ?? []), listener]);
  }

  changed(kind: Kind): void {
    for (const listener of this.listeners.get(kind) ?? []) listener();
  }
}
