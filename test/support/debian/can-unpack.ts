import { existsSync } from 'node:fs';

const NEEDED = [
  '/usr/bin/apt-get',
  '/usr/sbin/chroot',
  '/usr/share/keyrings/debian-archive-keyring.gpg',
];

/** Whether `unstable-root` can unpack packages of Debian here: it needs root and the tools of Debian. */
export const canUnpackDebian = (): boolean =>
  process.getuid?.() === 0 && NEEDED.every((file) => existsSync(file));
