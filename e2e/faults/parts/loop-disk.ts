import { join } from 'node:path';
import { run, type Scratch, unmountAtLast } from './scratch.ts';

/** Only an fsync may make the file system write: its commit interval is five minutes instead of five seconds. */
const MOUNT_OPTIONS = 'loop,noatime,commit=300';

/**
 * A disk whose power can be cut: an ext4 file system in an image file.
 *
 * Data that a process wrote without an fsync is in the memory of the inner file system and not in the image. So a copy of
 * the image has the content of a disk at a power loss. It assumes a disk that keeps flushed data.
 */
export class LoopDisk {
  /** The mount point; the same after each power loss. */
  readonly path: string;
  #image: string;
  #losses = 0;
  #isMounted = false;

  /** @param size as of truncate(1). */
  constructor(scratch: Scratch, name: string, size = '128M') {
    this.path = scratch.folder(name);
    this.#image = join(scratch.directory, `${name}-0.img`);
    run('truncate', '-s', size, this.#image);
    run('mkfs.ext4', '-q', '-F', this.#image);
    this.#mount();
    scratch.later(() => {
      if (this.#isMounted) unmountAtLast(this.path);
    });
  }

  /** Replaces the disk by a copy of its present content. No process may have a file open on it. */
  losePower(): void {
    this.#losses += 1;
    const before = this.#image;
    this.#image = before.replace(/-\d+\.img$/, `-${this.#losses}.img`);
    run('cp', '--sparse=always', before, this.#image);
    this.#unmount();
    run('rm', before);
    this.#mount();
  }

  #mount(): void {
    run('mount', '-o', MOUNT_OPTIONS, this.#image, this.path);
    this.#isMounted = true;
  }

  #unmount(): void {
    run('umount', this.path);
    this.#isMounted = false;
  }
}

/** Returns the reason why there can be no such disk, or null. Containers often have root but no loop devices. */
export function lacksLoopDisk(): string | null {
  try {
    run('losetup', '--find');
    return null;
  } catch {
    return 'needs a loop device and the right to mount it';
  }
}
