import { join } from 'node:path';
import { run, type Scratch, unmountAtLast } from './scratch.ts';

const SIZE = '128M';
/** Nothing but an fsync may bring the file system to write: its own commits come every five minutes instead of seconds. */
const MOUNT_OPTIONS = 'loop,noatime,commit=300';

/**
 * A disk whose power can be cut: an ext4 in an image file.
 *
 * What a process wrote and did not fsync lies in the memory of the inner file system and not in the image. So a copy of
 * the image is what a disk has at the moment of a power loss. It supposes an honest disk, one that has what it said it
 * had flushed.
 */
export class LoopDisk {
  /** Where it is mounted; the same after each loss of power. */
  readonly path: string;
  #image: string;
  #losses = 0;
  #isMounted = false;

  constructor(scratch: Scratch, name: string) {
    this.path = scratch.folder(name);
    this.#image = join(scratch.directory, `${name}-0.img`);
    run('truncate', '-s', SIZE, this.#image);
    run('mkfs.ext4', '-q', '-F', this.#image);
    this.#mount();
    scratch.later(() => {
      if (this.#isMounted) unmountAtLast(this.path);
    });
  }

  /** The copy of this moment takes the disk's place. Nobody may have a file open on it any more. */
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

/** Why there can be no such disk here, or null. Containers often have root and no loop devices. */
export function lacksLoopDisk(): string | null {
  try {
    run('losetup', '--find');
    return null;
  } catch {
    return 'needs a loop device and the right to mount it';
  }
}
