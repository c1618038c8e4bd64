import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type {
  AddCardForm,
  CardMove,
  CardRegistration,
  CardRequest,
  MemberCard,
  NewCard,
  PartnerCard,
} from './schemas.ts'

export const listCards = defineCall<typeof schemas.listCards>()({
  id: 'listCards',
  method: 'GET',
  path: '/api/Member/Cards',
  access: 'member',
})

export const createCardIntent = defineCall<typeof schemas.createCardIntent>()({
  id: 'createCardIntent',
  method: 'POST',
  path: '/api/Member/Cards/Intent',
  access: 'member',
  memberOnly: true,
})

export const linkCards = defineCall<typeof schemas.linkCards>()({
  id: 'linkCards',
  method: 'POST',
  path: '/api/Member/Cards',
  access: 'member',
  // What members are paid goes to a card of the account: an operator’s own one would get it.
  memberOnly: true,
})

export const listPartnerCards = defineCall<typeof schemas.listPartnerCards>()({
  id: 'listPartnerCards',
  method: 'GET',
  path: '/api/Cards/AllPartnerCards',
  access: 'member',
})

export const listCardMoves = defineCall<typeof schemas.listCardMoves>()({
  id: 'listCardMoves',
  method: 'GET',
  path: '/api/Member/Cards/Moves',
  access: 'member',
})

export const listCardRequests = defineCall<typeof schemas.listCardRequests>()({
  id: 'listCardRequests',
  method: 'GET',
  path: '/api/Member/Cards/Requests',
  access: 'member',
})

export const undoCardMove = defineCall<typeof schemas.undoCardMove>()({
  id: 'undoCardMove',
  method: 'POST',
  path: '/api/Member/Cards/Moves/Undo',
  access: 'member',
})

export const decideCardMove = defineCall<typeof schemas.decideCardMove>()({
  id: 'answerCardMove',
  method: 'POST',
  path: '/api/Cards/MoveAnswer',
  access: 'anyone',
  memberOnly: true,
})

export const deleteCard = defineCall<typeof schemas.deleteCard>()({
  id: 'deleteCard',
  method: 'DELETE',
  path: '/api/Member/Cards',
  access: 'member',
})
