import { resources } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { columnsOf, isWideScreenColumn } from './columns.ts'

describe('the columns of a narrow window', () => {
  it.each([
    ['statuses', ['name', 'code', 'scope', 'active']],
    ['moderationwords', ['word', 'active', 'updatedAt']],
    ['regions', ['name', 'localizations', 'code']],
  ] as const)('keeps the row menu of %s visible in a narrow window', (name, expected) => {
    const resource = resources[name]
    const narrowColumns = columnsOf(resource, {}).filter(
      (column, index) => !isWideScreenColumn(resource, column, index),
    )
    expect(narrowColumns).toEqual(expected)
  })
})
