-- A statement credit whose outcome is unknown stays open. Before, it returned to the balance after eight attempts without
-- an answer, and the next award paid the same amount again under another id, although the processor may have paid it.
alter table statement_credits
  -- When it was first submitted: later attempts ask for its outcome first.
  add column submitted_at timestamptz,
  -- Attempts since the last answer, and the error of the last one.
  add column unanswered int not null default 0,
  add column last_error text,
  -- How often the processor did not know it, and received it again under the same id.
  add column resubmitted int not null default 0,
  -- Why an operator must look at it.
  add column attention text
    check (attention in ('unanswered', 'unknownThere', 'unfinished', 'openAfterReturn', 'paidAfterReturn', 'rejectedAfterPaid')),
  add column attention_since timestamptz,
  -- How often the processor is still asked about a credit that was decided without it, in case it was wrong.
  add column checks_left int not null default 0,
  add constraint statement_credits_attention check ((attention is null) = (attention_since is null)),
  -- For the foreign keys of its events and decisions.
  add unique (partner_id, id);
create index statement_credits_attention on statement_credits (partner_id, attention_since) where attention is not null;
create index statement_credits_checked on statement_credits (partner_id, next_attempt_at) where checks_left > 0;

drop trigger enqueue_statement_credit on statement_credits;
create trigger enqueue_statement_credit after insert or update of next_attempt_at on statement_credits
  for each row when (new.status in ('pending', 'pending_received') or new.checks_left > 0)
  execute function enqueue_row_job('statement-credits');

-- What has become of each credit, in order. Append-only.
create table statement_credit_events (
  id bigint generated always as identity primary key,
  partner_id text not null,
  credit_id bigint not null,
  kind text not null check (kind in ('accepted', 'resubmitted', 'completed', 'rejected', 'returned', 'markedPaid',
    'acceptedAfterReturn', 'paidAfterReturn', 'rejectedAfterPaid', 'acknowledged')),
  -- The processor's reason, or the operator with the reason.
  detail text not null default '',
  at timestamptz not null default now(),
  foreign key (partner_id, credit_id) references statement_credits (partner_id, id)
);
create index statement_credit_events_by_credit on statement_credit_events (credit_id, id);
call enable_tenant_isolation('statement_credit_events');
grant select, insert on statement_credit_events to dineback_app;

-- What operators decide about credits without an answer; the app's job carries it out. The rows stay.
create table statement_credit_decisions (
  id bigint generated always as identity primary key,
  partner_id text not null,
  credit_id bigint not null,
  decision text not null check (decision in ('ask', 'return', 'paid', 'acknowledge')),
  reason text not null check (length(reason) <= 500),
  decided_by text not null check (length(decided_by) between 1 and 120),
  decided_at timestamptz not null default now(),
  -- When the job carried it out, and whether the credit was still in a state that allowed it.
  executed_at timestamptz,
  was_possible boolean,
  foreign key (partner_id, credit_id) references statement_credits (partner_id, id),
  check (decision = 'ask' or length(trim(reason)) > 0),
  check ((executed_at is null) = (was_possible is null))
);
create index statement_credit_decisions_by_credit on statement_credit_decisions (credit_id, id);
call enable_tenant_isolation('statement_credit_decisions');
grant select, insert, update (executed_at, was_possible) on statement_credit_decisions to dineback_app;

create function enqueue_credit_decision() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform enqueue_job('statement-credits', new.partner_id, new.credit_id::text, now());
  return null;
end
$$;
revoke execute on function enqueue_credit_decision from public;
create trigger enqueue_credit_decision after insert on statement_credit_decisions
  for each row execute function enqueue_credit_decision();

-- The console lists the credits that need an operator, and stores decisions. It never sees the name of a card.
grant select (id, partner_id, public_id, member_id, amount_cents, brand, delivery, processor, status, created_at,
  submitted_at, unanswered, last_error, resubmitted, attention, attention_since, next_attempt_at, checks_left)
  on statement_credits to dineback_console;
grant select on statement_credit_events to dineback_console;
grant select, insert on statement_credit_decisions to dineback_console;

-- Credits that need an operator, in every program. Contains no personal data.
create function payout_figures() returns table (figure text, partner_id text, state text, value double precision)
  language sql stable security definer set search_path = public, pg_temp as $$
  select 'payouts', s.partner_id, 'unanswered', count(*)::double precision
    from statement_credits s where s.status in ('pending', 'pending_received') and s.unanswered > 0 group by 2
  union all
  select 'payouts', s.partner_id, 'attention', count(*) from statement_credits s where s.attention is not null group by 2
$$;
revoke execute on function payout_figures from public;
grant execute on function payout_figures to dineback_console;

-- What earlier versions stored. The owner of the tables is subject to their row-level security, except here.
alter table statement_credits no force row level security;
alter table payout_orders no force row level security;
-- An open credit may have been submitted already, so that its outcome is asked for first.
update statement_credits set submitted_at = created_at where status in ('pending', 'pending_received');
-- Dineback's own processor pays an order when it receives it. Those of returned credits are never paid.
update payout_orders o set paid_at = now() where paid_at is null
  and exists (select from statement_credits c where c.partner_id = o.partner_id and c.public_id = o.credit_id
    and c.status in ('pending', 'pending_received'));
-- Credits that returned to the balance without the processor's word may have been paid: it is asked once a day.
update statement_credits set checks_left = 30, next_attempt_at = now() where status = 'error';
alter table statement_credits force row level security;
alter table payout_orders force row level security;
