import { describe, expect, it } from 'vitest'
import { excerptsOf } from './excerpt.ts'

describe('the excerpts of a converted text', () => {
  it('are the whole texts when they are short', () => {
    expect(excerptsOf('Paxta bor', 'Пахта бор')).toEqual({ before: 'Paxta bor', after: 'Пахта бор' })
  })

  it('begin shortly before the first difference, at a word', () => {
    const start = 'бир '.repeat(100)
    const { before, after } = excerptsOf(`${start}paxta`, `${start}пахта`)
    expect(before).toMatch(/^…(?:бир ){10,20}paxta$/)
    expect(after).toMatch(/^…(?:бир ){10,20}пахта$/)
  })

  it('end at a word, and are bounded where a text has no spaces', () => {
    expect(excerptsOf('paxta '.repeat(500), 'пахта '.repeat(500)).before).toMatch(/^(?:paxta )+paxta…$/)
    expect(excerptsOf('p'.repeat(5000), 'п'.repeat(5000)).after).toHaveLength(601)
  })
})
