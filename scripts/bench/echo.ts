/**
 * The ceiling of the chat's latency: a bare Socket.IO server that forwards what it receives, with the same
 * library.
 */
import { Server } from 'socket.io'

const server = new Server(Number(process.env['PORT']), { path: '/socket.io', serveClient: false })
server.on('connection', (socket) => {
  const name: unknown = socket.handshake.auth['name']
  if (typeof name === 'string') void socket.join(name)
  socket.on('say', (receiverName: string, text: string) => void server.to(receiverName).emit('said', text))
})
