/** Tests that the tooltip is shown when it helps, and hidden when it would be in the way. */
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TooltipLayer } from './tooltip.tsx'

function hoverElement(element: HTMLElement) {
  fireEvent.pointerOver(element)
  act(() => void vi.advanceTimersByTime(1000))
}

describe('the tooltip of a button', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('shows the tooltip of a button after a moment of hovering', () => {
    render(
      <>
        <button type="button" data-tip="Actions" aria-label="Actions" />
        <TooltipLayer />
      </>,
    )
    hoverElement(screen.getByRole('button', { name: 'Actions' }))
    expect(screen.getByText('Actions')).toBeTruthy()
  })

  it('hides a tooltip with the reason that it shows', async () => {
    render(
      <>
        <button type="button" data-why="No connection" aria-label="Save" />
        <TooltipLayer />
      </>,
    )
    const button = screen.getByRole('button', { name: 'Save' })
    hoverElement(button)
    expect(screen.getByText('No connection')).toBeTruthy()
    await act(async () => button.removeAttribute('data-why'))
    expect(screen.queryByText('No connection')).toBeNull()
  })

  it('keeps the tooltip of a button hidden while the button has its menu open', () => {
    render(
      <>
        <button type="button" data-tip="Actions" aria-label="Actions" data-popup-open="" />
        <TooltipLayer />
      </>,
    )
    hoverElement(screen.getByRole('button', { name: 'Actions' }))
    expect(screen.queryByText('Actions')).toBeNull()
  })
})
