import { networkFileSystem } from './network-file-system.ts';

describe('networkFileSystem', () => {
  it.each([
    ['NFS', 0x6969, 'NFS'],
    ['SMB 1 by smbfs', 0x517b, 'SMB'],
    ['CIFS', 0xff534d42, 'SMB'],
    ['SMB 2 and 3', 0xfe534d42, 'SMB'],
    ['ext4', 0xef53, null],
    ['XFS', 0x58465342, null],
    ['Btrfs', 0x9123683e, null],
    ['ZFS', 0x2fc12fc1, null],
    ['tmpfs', 0x01021994, null],
    ['overlay', 0x794c7630, null],
    ['FUSE, which may be local', 0x65735546, null],
    ['CephFS, which is not tried', 0x00c36400, null],
  ])('knows %s', (_, type, name) => {
    expect(networkFileSystem(type)).toBe(name);
  });
});
