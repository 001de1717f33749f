import { render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import userEvent from '@testing-library/user-event'
import { pageCountOf, Pager, pagesToShow } from './pager.tsx'

describe('the pager (requirements §2)', () => {
  it.each([
    [0, 15, 0],
    [15, 15, 1],
    [16, 15, 2],
    [248, 8, 31],
  ])('splits %d records by %d into %d pages', (total, size, count) => {
    expect(pageCountOf(total, size)).toBe(count)
  })

  it.each([
    [1, 31, [1, 2, 3, null, 31]],
    [15, 31, [1, null, 14, 15, 16, null, 31]],
    [31, 31, [1, null, 29, 30, 31]],
    [4, 5, [1, 2, 3, 4, 5]],
    [1, 2, [1, 2]],
  ])('shows in the pager on page %d of %d: %j', (page, count, expectedPages) => {
    expect(pagesToShow(page, count)).toEqual(expectedPages)
  })

  it('hides the pager for a single page', () => {
    const { container } = render(<Pager page={1} pageSize={15} total={15} onPageChange={() => undefined} />)
    expect(container.innerHTML).toBe('')
  })

  it('opens another page from the pager', async () => {
    const openPage = vi.fn<(page: number) => void>()
    render(<Pager page={1} pageSize={8} total={248} onPageChange={openPage} />)
    await userEvent.setup().click(screen.getByRole('button', { name: 'Go to page 31' }))
    expect(openPage).toHaveBeenCalledWith(31)
  })
})
