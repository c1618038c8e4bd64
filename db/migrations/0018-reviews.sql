-- That a meal was reviewed; what was said of the restaurant is on its page.
create table reviews (
  id bigint generated always as identity primary key,
  partner_id text not null,
  member_id bigint not null,
  transaction_id bigint not null unique references transactions,
  -- The form service's own name for the answer.
  response_id text,
  merchant_review_id bigint references merchant_reviews on delete set null,
  completed_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index reviews_by_member on reviews (member_id);
call build_wall('reviews');
grant select, insert, update on reviews to dineback_app;

create index transactions_awaiting_review on transactions (dined_at)
  where award_status = 'Pending' and stage = 'cleared';

-- The form service tells the program of a review until it has heard of it.
alter table forms.responses
  add column tell_until timestamptz,
  add column told_at timestamptz;
create index responses_untold on forms.responses (received_at) where tell_until is not null and told_at is null;
grant update (told_at) on forms.responses to dineback_forms;
