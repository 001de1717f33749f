import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { Combobox, MultiCombobox } from './combobox.tsx'

const options = [
  { value: 1, label: 'Buxoro' },
  { value: 2, label: 'Xorazm' },
]

const makeNoop = () => undefined

describe('a combobox', () => {
  it('keeps the value of a combobox on Escape, open or closed', async () => {
    const chosen = vi.fn<(chosen: unknown) => void>()
    render(
      <Combobox aria-label="Region" value={{ value: 1, label: 'Buxoro' }} onValueChange={chosen} options={options} />,
    )
    const user = userEvent.setup()
    await user.click(screen.getByRole('combobox', { name: 'Region' }))
    await user.keyboard('{Escape}{Escape}{Escape}')
    expect(chosen).not.toHaveBeenCalled()
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Region' }).value).toBe('Buxoro')
  })

  it('keeps all values of a multiple choice', async () => {
    const chosen = vi.fn<(chosen: unknown) => void>()
    render(<MultiCombobox aria-label="Regions" value={options} onValueChange={chosen} options={options} />)
    const user = userEvent.setup()
    await user.click(screen.getByRole('combobox', { name: 'Regions' }))
    await user.keyboard('{Escape}{Escape}{Escape}')
    expect(chosen).not.toHaveBeenCalled()
    expect(screen.getByText('Xorazm')).toBeDefined()
  })

  it('shows the message of a search only without options, so that its end does not move them', async () => {
    const list = (foundOptions: typeof options) => (
      <Combobox
        aria-label="Region"
        value={null}
        onValueChange={makeNoop}
        options={foundOptions}
        onSearch={makeNoop}
        loading
      />
    )
    const { rerender } = render(list([]))
    await userEvent.setup().click(screen.getByRole('combobox', { name: 'Region' }))
    expect(screen.getByText(/loading/iu).classList).not.toContain('sr-only')
    rerender(list(options))
    expect(screen.getByText(/loading/iu).classList).toContain('sr-only')
  })
})
