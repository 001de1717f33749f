import { describe, expect, test } from 'vitest'
import { backupKinds } from '@dala/model/api/backups'
import { findExpired, type RetainedBackup } from './retention.ts'

/** Random numbers that are the same in every run. */
function drawsOf(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const day = 86_400_000

function drawHistory(draw: (below: number) => number): RetainedBackup[] {
  return Array.from({ length: draw(60) }, (_unused, index) => ({
    id: index + 1,
    kind: backupKinds[draw(backupKinds.length)] ?? 'daily',
    takenAt: new Date(draw(400) * day),
    isProved: draw(3) === 0,
  }))
}

describe('retention of backups', () => {
  test('keeps the newest of each occasion, the newest and the newest proved one, over random histories', () => {
    for (let seed = 1; seed <= 2_000; seed += 1) {
      const draw = drawsOf(seed)
      const history = drawHistory(draw)
      const keep = { daily: 1 + draw(7), weekly: draw(5), monthly: draw(4) }
      const expired = new Set(findExpired(history, keep))
      const kept = history.filter(({ id }) => !expired.has(id))
      const newestOf = (backups: readonly RetainedBackup[]) => Math.max(...backups.map(({ takenAt }) => +takenAt))
      const provedIn = (backups: readonly RetainedBackup[]) => backups.filter(({ isProved }) => isProved)
      expect(newestOf(kept)).toBe(newestOf(history))
      expect(newestOf(provedIn(kept))).toBe(newestOf(provedIn(history)))
      for (const kind of backupKinds) {
        const limit = { ...keep, manual: 10, migration: 3 }[kind]
        const [all, rest] = [history, kept].map((list) => list.filter((backup) => backup.kind === kind)) as [
          RetainedBackup[],
          RetainedBackup[],
        ]
        // At most the newest backup and the newest proved one stay beyond the limit.
        expect(rest.length).toBeGreaterThanOrEqual(Math.min(all.length, limit))
        expect(rest.length).toBeLessThanOrEqual(limit + 2)
        const newest = all.toSorted((a, b) => +b.takenAt - +a.takenAt || b.id - a.id).slice(0, limit)
        for (const { id } of newest) expect(expired.has(id)).toBe(false)
      }
    }
  })

  test('deletes nothing twice: what is kept stays kept while nothing is added', () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const history = drawHistory(drawsOf(seed))
      const expired = new Set(findExpired(history, { daily: 3, weekly: 2, monthly: 1 }))
      const kept = history.filter(({ id }) => !expired.has(id))
      expect(findExpired(kept, { daily: 3, weekly: 2, monthly: 1 })).toEqual([])
    }
  })
})
