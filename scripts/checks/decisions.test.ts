import { describe, expect, it } from 'vitest'
import { unknownDecisions, wrongNumbers } from './decisions.ts'

describe('wrongNumbers', () => {
  it('accepts decision numbers that follow each other and equal those in the headings', () => {
    expect(wrongNumbers({ '0002-b.md': '# 2. B\n', '0001-a.md': '# 1. A\n' })).toEqual([])
  })

  it('finds a gap in the numbers of decisions', () => {
    expect(wrongNumbers({ '0001-a.md': '# 1. A', '0004-d.md': '# 4. D' })).toEqual([
      'Decision 2 is missing.',
      'Decision 3 is missing.',
    ])
  })

  it('finds a decision number that is used twice', () => {
    expect(wrongNumbers({ '0001-a.md': '# 1. A', '0001-b.md': '# 1. B' })).toEqual(['Decision 1 is there 2 times.'])
  })

  it('finds a heading with a number other than its decision has', () => {
    expect(wrongNumbers({ '0001-a.md': '# 2. A' })).toEqual(['0001-a.md does not begin with "# 1. ".'])
  })
})

describe('unknownDecisions', () => {
  it('finds citations of decisions that do not exist', () => {
    // The word "decision" is inserted, because the check of decisions reads this file as well.
    const text = ['one (% 2)', '[% 3](0003-c.md)', '% 0', 'a % of 9'].join('\n').replaceAll('%', 'decision')
    expect(unknownDecisions(text, 2)).toEqual([
      { line: 2, text: ['decision', 3].join(' ') },
      { line: 3, text: ['decision', 0].join(' ') },
    ])
  })
})
