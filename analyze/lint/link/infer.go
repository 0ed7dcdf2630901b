package link

func (b *builder) infer() {}
