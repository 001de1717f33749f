import { expect, it } from 'vitest'
import { FileWork } from './file-work.ts'

it('runs two files of a user at a time, refuses a third one, and takes one again afterwards', async () => {
  const work = new FileWork()
  const ends: (() => void)[] = []
  const open = () => work.run(1, () => new Promise<void>((resolve) => ends.push(resolve)))
  const running = [open(), open()]
  await expect(open()).rejects.toMatchObject({ code: 'server.busy', retryAfter: 5 })
  ends.forEach((end) => end())
  await Promise.all(running)
  expect(await work.run(1, () => Promise.resolve('done'))).toBe('done')
})

it('runs two files of all users at a time, lets ten wait, and refuses more', async () => {
  const work = new FileWork()
  const ends: (() => void)[] = []
  const started: number[] = []
  const runs = Array.from({ length: 12 }, (_, user) =>
    work.run(user, () => {
      started.push(user)
      return new Promise<void>((resolve) => ends.push(resolve))
    }),
  )
  expect(started).toEqual([0, 1])
  await expect(work.run(12, () => Promise.resolve())).rejects.toMatchObject({ code: 'server.busy' })
  while (started.length < 12) {
    ends.shift()?.()
    await Promise.resolve()
  }
  ends.forEach((end) => end())
  await Promise.all(runs)
})
