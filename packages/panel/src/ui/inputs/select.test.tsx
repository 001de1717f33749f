import { render, screen, waitFor } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { Dialog } from '../overlays/dialog.tsx'
import { Select } from './select.tsx'

const choices = [
  { value: 'all', label: 'All' },
  { value: 'buxoro', label: 'Buxoro' },
]

/** A filter whose select gives place to a button with the focus, beside the button of a dialog. */
function Filter() {
  const [region, setRegion] = useState('all')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Share
      </button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Shares" />
      {region === 'all' ? (
        <Select aria-label="Region" value={region} onValueChange={setRegion} choices={choices} />
      ) : (
        <button type="button" ref={(chip) => chip?.focus()}>
          Region: {region}
        </button>
      )}
    </>
  )
}

describe('a select that its choice replaces', () => {
  it.each([
    ['click', (user: UserEvent, option: HTMLElement) => user.click(option)],
    ['key', (user: UserEvent) => user.keyboard('{ArrowDown}{Enter}')],
  ])('leaves the focus as the page has set it, after a choice by %s and a dialog before', async (_means, choose) => {
    const user = userEvent.setup()
    render(<Filter />)
    const share = screen.getByRole('button', { name: 'Share' })
    await user.click(share)
    await screen.findByRole('dialog', { name: 'Shares' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(share))
    await user.click(screen.getByRole('combobox', { name: 'Region' }))
    await choose(user, await screen.findByRole('option', { name: 'Buxoro' }))
    const chip = await screen.findByRole('button', { name: 'Region: buxoro' })
    await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull())
    expect(document.activeElement).toBe(chip)
  })
})
