-- A credit of a deleted account that returned to the balance stayed there for ever: no award orders it again, and nobody
-- was told. An operator is shown it, and can order it again under another id.
alter table statement_credits
  drop constraint statement_credits_attention_check,
  add constraint statement_credits_attention_check check (attention in ('unanswered', 'unknownThere', 'unfinished',
    'openAfterReturn', 'paidAfterReturn', 'rejectedAfterPaid', 'leftInClosedAccount'));
alter table statement_credit_events
  drop constraint statement_credit_events_kind_check,
  add constraint statement_credit_events_kind_check check (kind in ('accepted', 'resubmitted', 'completed', 'rejected',
    'returned', 'markedPaid', 'acceptedAfterReturn', 'paidAfterReturn', 'rejectedAfterPaid', 'orderedAgain',
    'acknowledged'));
alter table statement_credit_decisions
  drop constraint statement_credit_decisions_decision_check,
  add constraint statement_credit_decisions_decision_check check (decision in ('ask', 'return', 'paid', 'order',
    'acknowledge'));

-- What earlier versions left: the newest credit of each deleted account with a balance. The owner of the tables is subject
-- to their row-level security, except here.
alter table statement_credits no force row level security;
alter table members no force row level security;
alter table postings no force row level security;
update statement_credits c set attention = 'leftInClosedAccount', attention_since = now()
from members m
where m.partner_id = c.partner_id and m.id = c.member_id and m.deleted_at is not null
  and c.status in ('rejected', 'error') and c.attention is null
  and not exists (select from statement_credits newer where newer.partner_id = c.partner_id
    and newer.member_id = c.member_id and newer.id > c.id)
  and (select sum(p.amount) from postings p where p.partner_id = c.partner_id and p.member_id = c.member_id
    and p.unit = 'cent') > 0;
alter table statement_credits force row level security;
alter table members force row level security;
alter table postings force row level security;
