import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { errorAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const number = '0123456789ABCDEZ'
const certificateAnswer = { data: { name: 'Gúlnara Qońıratbaeva', course: 'Irrigation', date: '2026-03-01' }, meta: {} }
const knownAnswers = { [`GET /api/certificates/${number}`]: certificateAnswer }

describe('the page of certificates', () => {
  it('shows the certificate of a printed address without a session', async () => {
    fakeApi(knownAnswers)
    renderApp(`/certificate/${number}`)
    expect(await screen.findByRole('heading', { level: 2, name: 'The certificate is valid' })).toBeTruthy()
    const details = screen.getAllByRole('definition').map(({ textContent }) => textContent)
    expect(details).toEqual(['Gúlnara Qońıratbaeva', 'Irrigation', '01.03.2026', '0123-4567-89AB-CDEZ'])
  })

  it('checks the typed number of a certificate in groups and small letters, and shows the number in the address', async () => {
    fakeApi(knownAnswers)
    const { router } = renderApp('/certificate')
    const user = userEvent.setup()
    await user.type(await screen.findByRole('textbox', { name: 'Number of the certificate' }), '0123-4567-89ab-cdez')
    await user.keyboard('{Enter}')
    expect(await screen.findByText('The certificate is valid')).toBeTruthy()
    expect(router.state.location.pathname).toBe(`/certificate/${number}`)
  })

  it('reports a typing error in the number of a certificate before asking the server', async () => {
    const calls = fakeApi(knownAnswers)
    renderApp('/certificate')
    const user = userEvent.setup()
    const box = await screen.findByRole('textbox', { name: 'Number of the certificate' })
    await user.click(screen.getByRole('button', { name: 'Check' }))
    expect(screen.getByText('This field is required')).toBeTruthy()
    await user.type(box, '0123-4567-89AB-CDEF')
    await user.click(screen.getByRole('button', { name: 'Check' }))
    expect(screen.getByText(/This number has a typing error/)).toBeTruthy()
    expect(box.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(box)
    expect(calls.filter(({ path }) => path.includes('certificates'))).toEqual([])
  })

  it('reports once that no certificate has the typed number', async () => {
    const calls = fakeApi({ [`GET /api/certificates/${number}`]: () => errorAnswer(404, 'NotFoundError', 'No') })
    renderApp(`/certificate/${number}`)
    expect(await screen.findByText('No certificate has this number')).toBeTruthy()
    expect(calls.filter(({ path }) => path.includes('certificates'))).toHaveLength(1)
  })

  it('counts down after too many unknown certificate numbers, and repeats the check after a failure', async () => {
    const limitedAnswer = errorAnswer(429, 'RateLimitError', 'No')
    limitedAnswer.headers.set('Retry-After', '90')
    const answers = [limitedAnswer, errorAnswer(500, 'InternalServerError', 'No'), Response.json(certificateAnswer)]
    fakeApi({ [`GET /api/certificates/${number}`]: () => answers.shift() ?? errorAnswer(500, 'X', 'No') })
    const firstPage = renderApp(`/certificate/${number}`)
    expect(await screen.findByText(/Many requests are being sent/)).toBeTruthy()
    firstPage.unmount()
    renderApp(`/certificate/${number}`)
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.getByText('The certificate is valid')).toBeTruthy())
  })
})
