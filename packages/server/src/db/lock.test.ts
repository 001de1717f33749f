import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LockError, lockFolder, lockHolderOf } from './lock.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'dala-lock-'))

test('refuses a locked data folder and leaves it unchanged', () => {
  const dataFolder = folder()
  const lock = lockFolder(dataFolder)
  const lockBefore = readFileSync(join(dataFolder, 'lock'), 'utf8')
  expect(() => lockFolder(dataFolder)).toThrow(LockError)
  expect(lockHolderOf(dataFolder)).toBe(process.pid)
  expect([readFileSync(join(dataFolder, 'lock'), 'utf8'), readdirSync(dataFolder)]).toEqual([lockBefore, ['lock']])
  lock.release()
  expect(readdirSync(dataFolder)).toEqual([])
  expect(lockHolderOf(dataFolder)).toBeUndefined()
  lockFolder(dataFolder).release()
})

test('takes over the folder lock of a dead process', async () => {
  const dataFolder = folder()
  const child = spawn(process.execPath, ['-e', ''])
  await new Promise((resolve) => child.once('exit', resolve))
  const lockedFolder = lockFolder(dataFolder)
  const owner = JSON.parse(readFileSync(join(dataFolder, 'lock'), 'utf8')) as {
    pid: number
    started: string
    world: string
  }
  lockedFolder.release()
  writeFileSync(join(dataFolder, 'lock'), JSON.stringify({ ...owner, pid: child.pid }))
  expect(lockHolderOf(dataFolder)).toBeUndefined()
  lockFolder(dataFolder).release()
  // The process number in the lock file is in use, but by another process than the one that took the lock.
  writeFileSync(join(dataFolder, 'lock'), JSON.stringify({ ...owner, started: '1' }))
  lockFolder(dataFolder).release()
  expect(existsSync(join(dataFolder, 'lock'))).toBe(false)
})

test('respects the lock of a process in another container while that process touches the lock file', () => {
  const dataFolder = folder()
  const file = join(dataFolder, 'lock')
  writeFileSync(file, JSON.stringify({ pid: 1, started: '5', world: 'another container' }))
  expect(() => lockFolder(dataFolder)).toThrow(LockError)
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(file, longAgo, longAgo)
  const lock = lockFolder(dataFolder)
  expect(readdirSync(dataFolder)).toEqual(['lock'])
  lock.release()
})

test('respects the lock of a process whose start is hidden while that process touches the lock file', () => {
  const dataFolder = folder()
  const lock = lockFolder(dataFolder)
  expect(lockHolderOf(dataFolder, () => '')).toBe(process.pid)
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(join(dataFolder, 'lock'), longAgo, longAgo)
  expect(lockHolderOf(dataFolder, () => '')).toBeUndefined()
  lock.release()
})

const testFolder = import.meta.dirname

test('touches the lock file of a process whose main thread is busy', async () => {
  const dataFolder = folder()
  const program = `import { lockFolder } from '${join(testFolder, 'lock.ts')}'
    lockFolder('${dataFolder}')
    process.stdout.write('held', () => { for (;;); })`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program])
  try {
    await once(child.stdout, 'data')
    const file = join(dataFolder, 'lock')
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(file, longAgo, longAgo)
    await expect.poll(() => statSync(file).mtimeMs, { timeout: 20_000 }).toBeGreaterThan(longAgo.getTime() + 30_000)
  } finally {
    child.kill('SIGKILL')
  }
}, 60_000)
