/** The QR code that an authenticator app scans. */
import { encode } from 'uqr'

export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    // Cameras expect dark squares on a light ground, even in the dark mode.
    <svg
      role="img"
      aria-label={label}
      data-palette="greenmoss"
      data-mode="light"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-46 rounded-2 border border-line bg-surface"
    >
      <path d={squares.join('')} fill="var(--text)" />
    </svg>
  )
}
