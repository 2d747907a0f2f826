# 쓸 수 없는 결과 묶음.

bundle-no-sense = { $named }의 파일을 해석할 수 없음 ({ $kind }: { $error })
bundle-no-sense-remedy = 손상된 파일 찾기: `ssdlab library check { $paths }`; 없으면 ssdlab의 결함임
bundle-step-leads-out = `{ $path }`: 단계 이름 { $name }은 그 안의 디렉터리 이름이 될 수 없음
bundle-link-written = `{ $path }`: 링크이므로 이 결과 묶음에는 쓰지 않음: 어디에 쓰일지 알 수 없음
bundle-link-remedy = 결과 묶음의 출처를 알면 링크를 지울 것
bundle-no-run = `{ $lab }` 아래에 실행이 없음
bundle-only-imported = `{ $lab }` 아래에 ssdlab의 실행은 없고, 가져온 결과만 { $count }개 있음
bundle-name-imported = 그중 하나 보기: `ssdlab show { $path }`
bundle-name-one = 결과 묶음을 지정하거나, 그것이 있는 랩을 `--lab DIR`로 지정할 것
bundle-file-gone = `{ $path }`: 손상됨: { $file }이 없음
bundle-newer-import = `{ $path }`: 가져오기 스키마가 { $schema }인데, 이 ssdlab은 { $newest }까지 읽음
bundle-update = ssdlab을 업데이트할 것
bundle-busy = `{ $path }`: 다른 ssdlab이 쓰고 있음
bundle-busy-remedy = 끝날 때까지 기다리거나 Ctrl-C로 멈출 것
bundle-manifest-too-long = `{ $manifest }`: { $size }바이트임: 이런 매니페스트는 없음
bundle-manifest-schema = `{ $manifest }`: 스키마가 { $schema }인데, 이 ssdlab은 { $known }을 읽음
bundle-manifest-twice = `{ $manifest }`: 한 파일이 두 번 나옴
bundle-ask-publisher = 공개한 사람에게 파일을 다시 요청할 것
bundle-manifest-damaged = `{ $manifest }`: 손상됨
bundle-not-plain = `{ $name }`: 파일도 디렉터리도 아님
bundle-made-of-these = 결과 묶음은 파일과 디렉터리로만 이루어짐
bundle-give-directory = run.json과 journal.jsonl이 있는 디렉터리를 지정할 것
bundle-no-such-directory = `{ $path }`: 결과 묶음이 아님: 그런 디렉터리가 없음
bundle-is-file = `{ $path }`: 번들이 아니라 파일
bundle-run-twice = `{ $run }`: 두 번 지정됨. 한 실행은 자신의 반복이 아님
bundle-name-once = 실행마다 한 번만 지정할 것
bundle-holds-runs = `{ $path }`에는 측정이 { $count }개 있지만, 그 자체는 번들이 아님
bundle-name-such-as = 측정 하나를 지정하세요. 가장 최근 것: `{ $newest }`
bundle-run-prints = `ssdlab run`이 결과 묶음의 경로를 출력함
bundle-newer = `{ $path }`: 결과 묶음 스키마가 { $schema }인데, 이 ssdlab은 { $newest }까지 읽음
bundle-signature-wrong = 결과 묶음의 서명이 잘못됨: { $why }
bundle-signature-remedy = 보낸 사람을 믿지 말고, 공개한 사람에게 파일을 다시 요청할 것
bundle-not-signed = `{ $key }`(으)로 결과 묶음에 서명하지 못함
bundle-give-key = ssh-keygen이 쓸 수 있는 개인 키의 파일을 지정할 것
bundle-signature-long = 길이가 { $size }바이트임
bundle-program-missing = `{ $program }`이 설치되어 있지 않음
bundle-install-ssh = openssh-client를 설치할 것 (Fedora에서는 `openssh`)
bundle-program-slow = `{ $program }`이 { $seconds }초 안에 끝나지 않음
bundle-program-ended = `{ $program }`이 상태 { $status }(으)로 끝남
bundle-not-as-manifest = `{ $path }`: { $state ->
        [missing] 없음
        [unlisted] 목록에 없음
       *[changed] 바뀌었음
    }: 결과 묶음이 매니페스트와 다름
bundle-none = `{ $path }`: 결과 묶음이 아님: { $faults }
bundle-damaged = `{ $path }`: 손상됨: { $faults }
bundle-import-again = `{ $original }`을 다시 가져올 것
