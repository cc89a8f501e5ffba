import { useEffect } from 'preact/hooks';

/** A key is not kept for who went away. */
export const IDLE_MINUTES = 15;
const SIGNS = ['pointerdown', 'keydown', 'scroll'] as const;

/** Calls `end` after 15 minutes without a sign of the reader, and where the page is left. */
export const useIdleEnd = (isOn: boolean, end: (why?: string) => void): void => {
  useEffect(() => {
    if (!isOn) return;
    let last = Date.now();
    const isOver = (): boolean => {
      if (Date.now() - last < IDLE_MINUTES * 60_000) return false;
      end(`You were signed out after ${IDLE_MINUTES} minutes without a sign of you.`);
      return true;
    };
    // A laptop that slept is over its time when it wakes, whatever a timer made of it: the first sign comes too late.
    const seen = (): void => {
      if (!isOver()) last = Date.now();
    };
    const look = setInterval(isOver, 5_000);
    const leave = (): void => end();
    for (const sign of SIGNS) addEventListener(sign, seen, { passive: true, capture: true });
    // The browser may keep a page that was left, to go back to: without the key.
    addEventListener('pagehide', leave);
    return () => {
      clearInterval(look);
      for (const sign of SIGNS) removeEventListener(sign, seen, { capture: true });
      removeEventListener('pagehide', leave);
    };
  }, [isOn]);
};
